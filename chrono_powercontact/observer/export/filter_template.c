/* @TITLE@
 *
 * One file of C99: no allocation, no library but libm. Made by chrono_powercontact @VERSION@.
 *
 * States:  @STATES@
 * Inputs:  @INPUTS@
 * Outputs: @OUTPUTS@
 *
 *     static observer_t observer;
 *     observer_start(&observer);
 *     every @SAMPLE@ s: observer_update(&observer, u, y);   u was held since the last sample, y is measured now
 *     observer.x is the estimate, observer.s the lower factor of its covariance
 *
 * Try it:  cc -std=c99 -O2 -DOBSERVER_MAIN FILE -lm && ./a.out < samples.txt
 * where a line of samples.txt holds inputs and outputs, and a line of the answer the estimate and the NIS.
 */
#include <math.h>
#include <string.h>

#define N @N@          /* states */
#define MOVING @MOVING@     /* of them with an equation of motion; the others are numbers of the model */
#define M @M@          /* outputs */
#define INPUTS @NU@     /* inputs */
#define POINTS (2 * N + 1)
#define STACK (3 * N > 2 * N + M ? 3 * N : 2 * N + M)

static const double SPREAD = @SPREAD@;        /* distance of the sigma points, in standard deviations */
static const double OTHERS = @OTHERS@;        /* weight of each point but the centre in a mean */
static const double CURVATURE = @CURVATURE@;     /* weight of second differences in a covariance */
static const double STEP = @STEP@;          /* of RK4, in s */
static const int STEPS = @STEPS@;            /* per sample */
static const double FLOOR = @FLOOR@;         /* least fraction of a standard deviation on the diagonal of a factor */
static const double X_0[N] = {@X_0@};
static const double S_0[N][N] = {@S_0@};
static const double S_V[N][N] = {@S_V@};
static const double S_N[M][M] = {@S_N@};
static const double LOWER[N] = {@LOWER@};
static const double UPPER[N] = {@UPPER@};
static const int TURNS[M] = {@TURNS@};

typedef struct {
    double t;                 /* time of the estimate in s */
    double x[N];              /* the estimate */
    double s[N][N];           /* lower factor of its covariance */
    double innovation[M];     /* what was measured less what was expected */
    double nis;               /* its square in units of its spread; not a number where it was skipped */
    long skipped;             /* measurements that were not finite */
    long lifted;              /* factors that were mended */
    long collapsed;           /* predictions without spread */
} observer_t;

void observer_start(observer_t *o);
int observer_update(observer_t *o, const double u[], const double y[]);

/* dx/dt of the states that move; q are the numbers that are estimated */
static void rate(double t, const double *x, const double *u, const double *q, double *dx)
{
    (void)t; (void)u; (void)q;
@RATE@
}

/* outputs of a state */
static void measure(double t, const double *x, const double *u, const double *q, double *y)
{
    (void)t; (void)u; (void)q;
@MEASURE@
}

static int finite_all(const double *a, int count)
{
    for (int i = 0; i < count; i++)
        if (!isfinite(a[i])) return 0;
    return 1;
}

static double wrapped(double angle)
{
    const double turn = 2.0 * 3.141592653589793;
    return angle - turn * nearbyint(angle / turn);
}

/* s, n x n, becomes the lower factor of A A^T, where the rows of `stack` are the columns of A; Householder's QR */
static void lower_factor(double *stack, int rows, int n, double *s)
{
    for (int k = 0; k < n; k++) {
        double square = 0.0;
        for (int i = k + 1; i < rows; i++) square += stack[i * n + k] * stack[i * n + k];
        if (square != 0.0) {
            const double head = stack[k * n + k];
            const double norm = sqrt(head * head + square);
            const double beta = head > 0.0 ? -norm : norm;
            const double tau = (beta - head) / beta;
            const double scale = 1.0 / (head - beta);
            for (int i = k + 1; i < rows; i++) stack[i * n + k] *= scale;
            for (int j = k + 1; j < n; j++) {
                double dot = stack[k * n + j];
                for (int i = k + 1; i < rows; i++) dot += stack[i * n + k] * stack[i * n + j];
                dot *= tau;
                stack[k * n + j] -= dot;
                for (int i = k + 1; i < rows; i++) stack[i * n + j] -= dot * stack[i * n + k];
            }
            stack[k * n + k] = beta;
        }
    }
    for (int j = 0; j < n; j++) {
        const double sign = stack[j * n + j] < 0.0 ? -1.0 : 1.0;
        for (int i = 0; i < n; i++) s[i * n + j] = i >= j ? sign * stack[j * n + i] : 0.0;
    }
}

static void clip(double *x)
{
    for (int i = 0; i < N; i++) {
        const double above = x[i] > LOWER[i] ? x[i] : LOWER[i];
        x[i] = above < UPPER[i] ? above : UPPER[i];
    }
}

static void draw(const observer_t *o, double points[POINTS][N])
{
    for (int j = 0; j < N; j++) {
        points[0][j] = o->x[j];
        for (int i = 0; i < N; i++) {
            points[1 + i][j] = o->x[j] + SPREAD * o->s[j][i];
            points[1 + N + i][j] = o->x[j] - SPREAD * o->s[j][i];
        }
    }
}

/* classical RK4 over a sample, with the input held */
static void propagate(double t, const double *u, double *x)
{
    const double *q = x + MOVING;
    double point[MOVING], k1[MOVING], k2[MOVING], k3[MOVING], k4[MOVING];
    for (int number = 0; number < STEPS; number++) {
        const double begin = t + number * STEP;
        rate(begin, x, u, q, k1);
        for (int i = 0; i < MOVING; i++) point[i] = x[i] + 0.5 * STEP * k1[i];
        rate(begin + 0.5 * STEP, point, u, q, k2);
        for (int i = 0; i < MOVING; i++) point[i] = x[i] + 0.5 * STEP * k2[i];
        rate(begin + 0.5 * STEP, point, u, q, k3);
        for (int i = 0; i < MOVING; i++) point[i] = x[i] + STEP * k3[i];
        rate(begin + STEP, point, u, q, k4);
        for (int i = 0; i < MOVING; i++) x[i] += STEP / 6.0 * (k1[i] + 2.0 * k2[i] + 2.0 * k3[i] + k4[i]);
    }
}

/* first and second central differences of what became of the points, as rows, with their weights */
static void differences(const double *points, int width, double *stack)
{
    for (int i = 0; i < N; i++)
        for (int j = 0; j < width; j++) {
            const double ahead = points[(1 + i) * width + j];
            const double behind = points[(1 + N + i) * width + j];
            stack[i * width + j] = (ahead - behind) / (2.0 * SPREAD);
            stack[(N + i) * width + j] = CURVATURE * (ahead + behind - 2.0 * points[j]);
        }
}

static void weighted_mean(const double *points, int width, double *mean)
{
    for (int j = 0; j < width; j++) {
        double rest = 0.0;
        for (int i = 1; i < POINTS; i++) rest += points[i * width + j] - points[j];
        mean[j] = points[j] + OTHERS * rest;
    }
}

/* raise what is too small on the diagonal of the factor, and put the estimate inside its bounds */
static void mend(observer_t *o)
{
    int lifted = 0;
    for (int i = 0; i < N; i++) {
        double square = 0.0;
        for (int k = 0; k <= i; k++) square += o->s[i][k] * o->s[i][k];
        const double size = sqrt(square);
        const double least = FLOOR * (size > S_V[i][i] ? size : S_V[i][i]);
        if (o->s[i][i] < least) {
            o->s[i][i] = least;
            lifted = 1;
        }
    }
    o->lifted += lifted;
    clip(o->x);
}

static int predict(observer_t *o, const double *u)
{
    double points[POINTS][N];
    double stack[STACK * N];
    memset(stack, 0, sizeof stack);
    draw(o, points);
    for (int i = 0; i < POINTS; i++) {
        clip(points[i]);
        propagate(o->t, u, points[i]);
    }
    if (!finite_all(points[0], N)) return 0;
    differences(&points[0][0], N, stack);
    if (finite_all(stack, 2 * N * N)) {
        weighted_mean(&points[0][0], N, o->x);
    } else {
        memcpy(o->x, points[0], sizeof o->x);
        memset(stack, 0, sizeof stack);
        for (int i = 0; i < N; i++)
            for (int j = 0; j < N; j++) stack[j * N + i] = o->s[i][j];
        o->collapsed++;
    }
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++) stack[(2 * N + j) * N + i] = S_V[i][j];
    lower_factor(stack, 3 * N, N, &o->s[0][0]);
    mend(o);
    return 1;
}

/* gain K = P_xy (S_y S_y^T)^-1, row by row */
static void gain(double k[N][M], double s_y[M][M])
{
    for (int r = 0; r < N; r++) {
        for (int i = 0; i < M; i++) {
            for (int j = 0; j < i; j++) k[r][i] -= s_y[i][j] * k[r][j];
            k[r][i] /= s_y[i][i];
        }
        for (int i = M - 1; i >= 0; i--) {
            for (int j = i + 1; j < M; j++) k[r][i] -= s_y[j][i] * k[r][j];
            k[r][i] /= s_y[i][i];
        }
    }
}

static void innovate(observer_t *o, const double *y, const double *mean, double s_y[M][M])
{
    double z[M];
    o->nis = 0.0;
    for (int j = 0; j < M; j++) {
        o->innovation[j] = TURNS[j] ? wrapped(y[j] - mean[j]) : y[j] - mean[j];
        z[j] = o->innovation[j];
        for (int i = 0; i < j; i++) z[j] -= s_y[j][i] * z[i];
        z[j] /= s_y[j][j];
        o->nis += z[j] * z[j];
    }
}

static int correct(observer_t *o, const double *u, const double *y)
{
    double points[POINTS][N], outs[POINTS][M], mean[M], s_y[M][M], copy[(2 * N + M) * M];
    double stack_y[(2 * N + M) * M], stack[STACK * N], k[N][M];
    memset(stack, 0, sizeof stack);
    memset(k, 0, sizeof k);
    draw(o, points);
    for (int i = 0; i < POINTS; i++) {
        measure(o->t, points[i], u, points[i] + MOVING, outs[i]);
        for (int j = 0; j < M; j++)
            if (TURNS[j]) outs[i][j] = outs[0][j] + wrapped(outs[i][j] - outs[0][j]);
    }
    weighted_mean(&outs[0][0], M, mean);
    differences(&outs[0][0], M, stack_y);
    for (int i = 0; i < M; i++)
        for (int j = 0; j < M; j++) stack_y[(2 * N + j) * M + i] = S_N[i][j];
    if (!finite_all(stack_y, (2 * N + M) * M)) return 0;
    memcpy(copy, stack_y, sizeof copy);
    lower_factor(copy, 2 * N + M, M, &s_y[0][0]);
    for (int i = 0; i < N; i++)
        for (int j = 0; j < M; j++)
            for (int r = 0; r < N; r++) k[i][j] += o->s[i][r] * stack_y[r * M + j];
    gain(k, s_y);
    innovate(o, y, mean, s_y);
    for (int i = 0; i < N; i++)
        for (int j = 0; j < M; j++) o->x[i] += k[i][j] * o->innovation[j];
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++) stack[j * N + i] = o->s[i][j];
    for (int r = 0; r < 2 * N + M; r++)
        for (int i = 0; i < N; i++)
            for (int j = 0; j < M; j++) stack[r * N + i] -= stack_y[r * M + j] * k[i][j];
    if (!finite_all(stack, (2 * N + M) * N) || !finite_all(o->x, N)) return 0;
    lower_factor(stack, 2 * N + M, N, &o->s[0][0]);
    mend(o);
    return 1;
}

/* begin with the estimate and covariance that were exported */
void observer_start(observer_t *o)
{
    memset(o, 0, sizeof *o);
    o->t = @T_0@;
    memcpy(o->x, X_0, sizeof o->x);
    memcpy(o->s, S_0, sizeof o->s);
    o->nis = NAN;
    for (int j = 0; j < M; j++) o->innovation[j] = NAN;
}

/* one sample on; 0, with the estimate as it was, where the model left the finite numbers */
int observer_update(observer_t *o, const double u[], const double y[])
{
    observer_t before = *o;
    if (!finite_all(u, INPUTS) || !predict(o, u)) {
        *o = before;
        return 0;
    }
    o->t += STEPS * STEP;
    if (!finite_all(y, M)) {
        o->skipped++;
        o->nis = NAN;
        for (int j = 0; j < M; j++) o->innovation[j] = NAN;
        return 1;
    }
    if (!correct(o, u, y) || !finite_all(&o->s[0][0], N * N)) {
        *o = before;
        return 0;
    }
    return 1;
}

#ifdef OBSERVER_MAIN
#include <stdio.h>

int main(void)
{
    static observer_t observer;
    double given[INPUTS + M];
    observer_start(&observer);
    for (;;) {
        for (int i = 0; i < INPUTS + M; i++)
            if (scanf("%lf", &given[i]) != 1) return 0;
        if (!observer_update(&observer, given, given + INPUTS)) return 1;
        for (int i = 0; i < N; i++) printf("%.17g ", observer.x[i]);
        printf("%.17g\n", observer.nis);
    }
}
#endif
